"""What several engines need to collide geoms as MuJoCo does."""
