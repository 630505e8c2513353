"""Weekly reports: frozen models built from the published warehouse, and the renderers that read only those models.

What belongs here: view models, wording by rule, chart geometry, templates. What does not: readiness arithmetic (in
`turnup`), orchestration, clocks. A report is a function of the warehouse of one week and of the code.
"""
