"""The rooms of the sixth game are no part of this house; they are tried in a copy of it."""

collect_ignore_glob = ["rooms/*"]
