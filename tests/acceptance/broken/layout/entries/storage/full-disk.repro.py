raise OSError(28)
