"""Solvers as their authors published them: Wałejko (2022), Segers (2015), Majdandžić (2022)."""
