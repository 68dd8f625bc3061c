"""Games that were played: looked back at, noted on, taken along as files."""
