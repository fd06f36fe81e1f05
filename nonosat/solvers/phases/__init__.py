"""Skyscrapers in five phases (Majdandžić 2022)."""
