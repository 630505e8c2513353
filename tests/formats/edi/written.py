"""Small EDI files: an order, a notice, a status, their twins in EDIFACT, in envelopes whose figures are right."""

from __future__ import annotations

from collections.abc import Sequence

ISA = "ISA*00*          *00*          *ZZ*BUYER          *ZZ*SELLER         *260801*0930*U*00401*{number:09d}*0*P*>"
GROUPS = {"850": "PO", "855": "PR", "856": "SH", "214": "QM"}


def x12_segments(kind: str, body: Sequence[str], number: int = 7, reference: str = "0001") -> list[str]:
    """Return all segments of an interchange of one transaction set."""
    return [
        ISA.format(number=number),
        f"GS*{GROUPS.get(kind, 'ZZ')}*BUYER*SELLER*20260801*0930*{number}*X*004010",
        f"ST*{kind}*{reference}",
        *body,
        f"SE*{len(body) + 2}*{reference}",
        f"GE*1*{number}",
        f"IEA*1*{number:09d}",
    ]


def x12(kind: str, body: Sequence[str], end: str = "~\n", **numbers: int) -> str:
    """Return an interchange as text."""
    return end.join(x12_segments(kind, body, **numbers)) + end


ORDER = (
    "BEG*00*SA*4500123456**20260504",
    "CUR*BY*USD",
    "N1*SU*Vantor Systems*92*V-100",
    "N1*ST*Dallas hall*92*DFW1",
    "PO1*10*64*EA*31250.00**BP*920-9K36F-00MV*VP*VT-77",
    "PID*F****8-GPU server",
    "DTM*002*20260801",
    "SCH*32*EA***067*20260918",
    "SCH*32*EA***067*20260925",
    "PO1*20*4*EA*900**VP*VT-12",
    "DTM*067*20260930",
    "CTT*2*68",
)

ANSWER = (
    "BAK*00*AC*4500123456*20260504****SO-9*20260506",
    "N1*SE*Vantor Systems*92*V-100",
    "PO1*10*64*EA*31250.00**BP*920-9K36F-00MV",
    "ACK*IA*32*EA*067*20260918",
    "ACK*IB*32*EA*067*20260925",
    "PO1*20*4*EA*900**VP*VT-12",
    "ACK*IR*4*EA*067*20260930",
    "CTT*2*68",
)

NOTICE = (
    "BSN*00*ASN-10457*20260820*1015",
    "DTM*011*20260820",
    "DTM*017*20260830",
    "HL*1**S",
    "TD5**2*DHLC*A*DHL",
    "REF*CN*1Z999",
    "N1*SF*Vantor Systems",
    "N1*ST*Dallas hall*92*DFW1",
    "N4*Dallas*TX*75201*US",
    "HL*2*1*O",
    "PRF*4500123456***20260504",
    "HL*3*2*P",
    "MAN*GM*00123456789012345675",
    "HL*4*3*I",
    "LIN*10*BP*920-9K36F-00MV",
    "SN1**2*EA",
    "PID*F****8-GPU server",
    "REF*SE*S45X001",
    "REF*SE*S45X002",
    "HL*5*3*I",
    "LIN*20*VP*VT-12*SN*0099",
    "SN1**1*EA",
    "CTT*5*3",
)

STATUS = (
    "B10*PRO-9*ASN-10457*DHLC",
    "LX*1",
    "AT7*AF*NS***20260820*1405*CT",
    "MS1*Chicago*IL*US",
    "AT7*AG*NS***20260830*1200*ET",
    "AT7***AB*NA*20260830*0900*UT",
    "MS1*Dallas*TX*US",
    "AT7*D1*NS***20260831*1015*LT",
)


def edifact(kind: str, body: Sequence[str], reference: str = "M1", interchange: str = "I1") -> str:
    """Return an EDIFACT interchange of one message."""
    segments = [
        f"UNB+UNOC:3+BUYER:14+SELLER:14+260801:0930+{interchange}",
        f"UNH+{reference}+{kind}:D:96A:UN",
        *body,
        f"UNT+{len(body) + 2}+{reference}",
        f"UNZ+1+{interchange}",
    ]
    return "UNA:+.? '" + "".join(f"{segment}'" for segment in segments)


RESPONSE = (
    "BGM+231+OR-5+9+AC",
    "DTM+137:20260506:102",
    "RFF+ON:4500123456",
    "NAD+SU+V-100::92++Vantor ?+ Sons",
    "CUX+2:USD:9",
    "LIN+10+5+920-9K36F-00MV:IN",
    "QTY+21:64:PCE",
    "PRI+AAA:31250.00",
    "QTY+113:32:PCE",
    "DTM+67:20260918:102",
    "QTY+113:32:PCE",
    "DTM+67:20260925:102",
    "LIN+20+7+VT-12:SA",
    "QTY+21:4:PCE",
    "UNS+S",
    "CNT+2:2",
)

DESPATCH = (
    "BGM+351+DES-7+9",
    "DTM+11:202608201405:203",
    "DTM+17:20260830:102",
    "NAD+SU+V-100::92++Vantor",
    "NAD+ST+DFW1::92++Dallas hall+1 Main St+Dallas++75201+US",
    "TDT+20++40++DHL:172::DHL Express",
    "RFF+ON:4500123456",
    "CPS+1",
    "PAC+1++CT",
    "LIN+1++920-9K36F-00MV:IN",
    "QTY+12:3:PCE",
    "RFF+ON:4500123456:10",
    "GIN+BN+S45X008:S45X010",
    "CPS+2+1",
    "LIN+2++VT-12:SA",
    "IMD+F++:::Rail kit",
    "QTY+12:4:PCE",
    "CNT+2:2",
    "CNT+1:7",
)
