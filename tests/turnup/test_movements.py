"""Snapshots replace and movements add, each once, however often they come (M53, B8)."""

from tests.turnup.staging import staged

COUNTS = '  counts: {dataset: inventory, files: "count*.csv", owner: Store}\n'
RECEIPTS = '  receipts: {dataset: receipts, files: "grn*.csv", mode: events, owner: Dock}\n'
HEAD = "site_id,part_number,lot,counted_at,free\n"
GRN = "receipt,line,po,po_line,part_number,site_id,place,qty_good,received\n"
STOCK = "SELECT part_number, sum(free)::INT FROM stg.inventory GROUP BY 1 ORDER BY 1"
RECEIVED = "SELECT po, sum(qty_good)::INT FROM stg.receipts GROUP BY 1 ORDER BY 1"
REFUSED = "SELECT row, rule FROM meta.quarantine ORDER BY 1"


def test_m53_b8_a_count_replaces_the_one_before_and_is_never_added(tmp_path):
    first = HEAD + "DFW1,P-1,A,2026-09-28T16:00:00Z,100\nDFW1,P-2,A,2026-09-28T16:00:00Z,40\n"
    second = HEAD + "DFW1,P-1,A,2026-09-29T16:00:00Z,75\n"
    assert staged(tmp_path, COUNTS, {"2026-09-28/count.csv": first}, STOCK) == [[("P-1", 100), ("P-2", 40)]]
    assert staged(tmp_path, COUNTS, {"2026-09-29/count.csv": second}, STOCK) == [[("P-1", 75)]]
    assert staged(tmp_path, COUNTS, {"2026-09-30/count.csv": second}, STOCK) == [[("P-1", 75)]]  # sent again


def test_b8_two_lines_of_one_product_are_both_kept_or_both_refused(tmp_path):
    lots = HEAD + "DFW1,P-1,A,2026-09-28T16:00:00Z,100\nDFW1,P-1,B,2026-09-28T16:00:00Z,75\n"
    assert staged(tmp_path / "lots", COUNTS, {"2026-09-28/count.csv": lots}, STOCK, REFUSED) == [[("P-1", 175)], []]
    same = HEAD + "DFW1,P-1,A,2026-09-28T16:00:00Z,100\nDFW1,P-1,A,2026-09-28T16:00:00Z,75\n"
    assert staged(tmp_path / "same", COUNTS, {"2026-09-28/count.csv": same}, STOCK, REFUSED) == [
        [], [(2, "key_conflict"), (3, "key_conflict")]
    ]  # fmt: skip


def test_m53_movements_add_up_and_count_once(tmp_path):
    one = GRN + "R1,1,PO-1,1,P-1,DFW1,site,5,2026-09-28\n"
    both = one + "R2,1,PO-1,1,P-1,DFW1,site,7,2026-09-29\n"
    assert staged(tmp_path, RECEIPTS, {"2026-09-28/grn-1.csv": one}, RECEIVED) == [[("PO-1", 5)]]
    assert staged(tmp_path, RECEIPTS, {"2026-09-29/grn-2.csv": both}, RECEIVED) == [[("PO-1", 12)]]
    assert staged(tmp_path, RECEIPTS, {"2026-09-30/grn-3.csv": one}, RECEIVED) == [[("PO-1", 12)]]


def test_m53_a_correction_of_a_movement_replaces_it(tmp_path):
    files = {
        "2026-09-28/grn-1.csv": GRN + "R1,1,PO-1,1,P-1,DFW1,site,5,2026-09-28\n",
        "2026-09-29/grn-2.csv": GRN + "R1,1,PO-1,1,P-1,DFW1,site,4,2026-09-28\n",
    }
    assert staged(tmp_path, RECEIPTS, files, RECEIVED) == [[("PO-1", 4)]]
