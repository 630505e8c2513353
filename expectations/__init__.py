"""What each dataset must be: data contracts, the row rules and the expectations made from them.

Belongs here: one ODCS contract per dataset (`contracts/*.yaml`), the loader of the contracts, the SQL that types rows
and says which of them break a rule, the Great Expectations suites for what needs more than one row, and the column
documentation made from the contracts.

Does not belong here: reading files, choosing which delivery is in force, storing anything, readiness and reports. This
package stands at the ground of the house and imports nothing of ours.
"""
