"""MuJoCo's XML schema, with what every attribute of every element asks for.

Rows are written as `{"element element": {"attribute attribute": "meaning meaning"}}`.
Elements are paths below `<mujoco>`; what stands in the body tree is `body/...` at any
depth. In a meaning `{tag}` is the element's tag and `{attribute}` the attribute.

A meaning is one or more feature ids, `id*` being an id and all below it, or one word:

* `composition`: it is gone after the compile. The scene that states another value
  (another name, another folder) has the same physics.
* `notation`: it is gone after the compile, as it says in its own way what other
  attributes say. The scene that says the same in those has the same physics.
* `visual`: it is seen and never felt, as are the features `visual.*`. The scene that
  states another value has the same physics.

What no feature of its own is about belongs to what feels it: the place and the inertia
of a body to the joints that move it, a size to the shapes that touch.
"""
