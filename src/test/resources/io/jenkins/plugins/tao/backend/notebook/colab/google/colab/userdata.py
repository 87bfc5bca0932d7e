"""Colab's panel of secrets."""
import os


def get(name):
    return os.environ["SIM_SECRET_" + name]
