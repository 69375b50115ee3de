"""Generated code of the trunk, version 1."""
