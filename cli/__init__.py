"""The `kt` command: parses, calls the other rooms, shows progress, prints."""
