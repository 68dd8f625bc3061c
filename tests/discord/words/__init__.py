"""Flows of somebody who hears the boards."""
