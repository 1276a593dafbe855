"""The commands, one file each. A command is a click command called `command`."""
