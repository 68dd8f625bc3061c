"""Cups: small tournaments whose tables open by themselves, round by round."""
