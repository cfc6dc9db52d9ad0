"""From a scene config to one flat MJCF, its reference model and its places."""
