"""What a server does to a message, and what the journal then says."""

import email
import email.policy

import pytest

from tests.reports.delivery import post_office


def test_each_recipient_gets_one_message_however_often_it_is_run(house):
    house.manifest()
    first = house.round()
    assert first.sent == 2
    for _ in range(3):
        house.later(hours=1)
        assert house.round().sent == 0
    assert sorted(to for to, _ in house.taken.messages) == ["ada@example.net", "bert@example.net"]


def test_a_message_arrives_whole_and_addressed(house):
    house.manifest()
    house.round()
    mail = email.message_from_bytes(house.taken.of("ada@example.net")[0], policy=email.policy.default)
    assert mail["To"] == "Ada <ada@example.net>"
    assert mail["From"] == "turnup@example.org"
    assert mail["Subject"] == "Readiness 2026-W44: 96 of 128"
    assert mail["Message-ID"].startswith("<2026-W44.1.executive.")
    text = mail.get_body(("plain",)).get_content().replace("\r\n", "\n")
    assert text == "The executive report of 2026-W44.\n.\n..two dots and Žluťoučký\n"
    assert "<p>The executive report of 2026-W44</p>" in mail.get_body(("html",)).get_content()


@pytest.mark.parametrize("stage", ["rcpt", "data"])
def test_a_passing_refusal_is_tried_again_with_longer_pauses(house, stage):
    house.manifest()
    house.recipients = house.recipients[:1]
    house.taken.refusals[stage] = ["451 later", "451 later"]
    assert house.round().sent == 1
    assert house.pauses == [2, 4]
    assert len(house.taken.of("ada@example.net")) == 1


def test_after_its_tries_a_message_waits_for_the_next_round_and_the_operator_knows(house):
    house.manifest()
    house.recipients = house.recipients[:1]
    house.taken.refusals["rcpt"] = ["451 full"] * 4
    done = house.round()
    assert [entry.state for entry in done.entries] == ["failed"] and done.again
    told = email.message_from_bytes(house.taken.of("ops@example.net")[0], policy=email.policy.default)
    assert "ada@example.net: failed, recipient not taken: 451 full" in told.get_content()
    house.later(minutes=10)
    assert house.round().sent == 1
    assert len(house.taken.of("ada@example.net")) == 1
    assert len(house.taken.of("ops@example.net")) == 1


@pytest.mark.parametrize("stage", ["rcpt", "data"])
def test_a_final_refusal_is_not_tried_again_and_the_operator_is_told_once(house, stage):
    house.manifest()
    house.recipients = house.recipients[:1]
    house.taken.refusals[stage] = ["550 no such user"]
    assert [entry.state for entry in house.round().entries] == ["refused"]
    for _ in range(2):
        house.later(hours=1)
        assert house.round().sent == 0
    assert house.taken.of("ada@example.net") == []
    assert len(house.taken.of("ops@example.net")) == 1
    assert house.pauses == []


def test_an_answer_that_is_lost_is_never_answered_by_a_second_message(house):
    house.manifest()
    house.recipients = house.recipients[:1]
    house.taken.lose_the_answer = True
    assert [entry.state for entry in house.round().entries] == ["uncertain"]
    house.taken.lose_the_answer = False
    for _ in range(2):
        house.later(hours=1)
        house.round()
    assert len(house.taken.of("ada@example.net")) == 1


def test_a_server_that_is_away_costs_nothing_but_time(house):
    house.manifest()
    right, house.port = house.port, 9  # discard: nobody listens there
    done = house.round()
    assert {entry.state for entry in done.entries} == {"failed"}
    assert {entry.state for entry in done.notices} == {"failed"}, "and the operator's message is kept too"
    house.port = right
    house.later(hours=1)
    assert house.round().sent == 2
    told = house.taken.of("ops@example.net")
    assert len(told) == 1 and b"2 messages" in told[0], "what could not be told then is told now"


def test_one_recipient_in_trouble_does_not_keep_the_next_from_theirs(house):
    house.manifest()
    house.taken.refusals["rcpt"] = ["550 no"]
    assert sorted(entry.state for entry in house.round().entries) == ["refused", "sent"]


def test_login_over_starttls_with_a_certificate_that_is_trusted(tmp_path, house, taken):
    _, context = post_office.certificate(tmp_path)
    controller = post_office.opened(
        taken, tls_context=context, require_starttls=True, auth_required=True,
        authenticator=post_office.only("turnup", "s3cret"),
    )  # fmt: skip
    try:
        house.port, house.security = controller.port, "starttls"
        house.mail = {"ca_file": "mail-ca.pem", "user_env": "MAIL_USER", "password_env": "MAIL_PASSWORD"}
        house.manifest()
        missing = house.round()
        assert {e.note for e in missing.entries} == {"the environment variable MAIL_USER (mail user) is not set"}
        house.secrets = {"MAIL_USER": "turnup", "MAIL_PASSWORD": "s3cret"}
        assert house.round().sent == 2
        kept = b"".join(file.read_bytes() for file in (tmp_path / "store").rglob("*") if file.is_file())
        assert b"s3cret" not in kept
        assert "s3cret" not in repr(house.sender()._login(house.programme().delivery.mail))
    finally:
        controller.stop()


def test_a_stranger_with_a_certificate_of_his_own_gets_nothing(tmp_path, house, taken):
    _, context = post_office.certificate(tmp_path)
    controller = post_office.opened(taken, tls_context=context)
    try:
        house.port, house.security = controller.port, "starttls"
        house.manifest()
        assert {entry.state for entry in house.round().entries} == {"refused"}
        assert "certificate is not trusted" in house.journal().entries()[0].note
        assert taken.messages == []
    finally:
        controller.stop()


def test_a_server_that_offers_no_encryption_gets_nothing(house):
    house.security = "starttls"
    house.manifest()
    assert {entry.state for entry in house.round().entries} == {"refused"}
    assert house.taken.messages == []
