"""A job shop: three jobs of three tasks, a machine each; the last task is to end as early as possible."""

import numpy as np

import nonosat

machine = np.array([[0, 1, 2], [0, 2, 1], [1, 2, 0]])
duration = np.array([[3, 2, 2], [2, 1, 4], [4, 3, 2]])

model = nonosat.Model("job shop")
start = model.integer("start", 0, int(duration.sum()), shape=(3, 3))
model.add(start[:, :-1] + duration[:, :-1] <= start[:, 1:], name="order of tasks")
for which in range(3):
    model.add(model.disjunctive(start[machine == which], duration[machine == which]), name=f"machine {which}")
model.minimize((start + duration).max())
