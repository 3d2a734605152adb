"""The game of docs/adding-a-game.md is tested in its place, by tests/test_plugged_game.py."""

collect_ignore_glob = ["*"]
