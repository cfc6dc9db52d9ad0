"""The ground of a scene: made, put in the file's floor's place, and looked up."""
