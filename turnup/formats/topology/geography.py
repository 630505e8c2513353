"""Where countries and the states of the USA lie, roughly: enough to see that a place is not where it says it is.

The boxes are read off a map to about half a degree, with overseas parts left out where they lie far away and no data
centre stands; a place within ``MARGIN`` of its box passes. Coordinates 0, 0 are "not captured", never a place.
"""

from __future__ import annotations

from dataclasses import dataclass

MARGIN = 0.5
"""Degrees."""

Box = tuple[float, float, float, float]
"""South, north, west, east; west is greater than east where the box crosses the date line."""

_COUNTRIES: dict[str, tuple[str, Box]] = {
    "AE": ("United Arab Emirates", (22.6, 26.1, 51.5, 56.4)),
    "AR": ("Argentina", (-55.1, -21.8, -73.6, -53.6)),
    "AT": ("Austria", (46.4, 49.0, 9.5, 17.2)),
    "AU": ("Australia", (-43.7, -9.2, 112.9, 153.7)),
    "BE": ("Belgium", (49.5, 51.5, 2.5, 6.4)),
    "BG": ("Bulgaria", (41.2, 44.2, 22.4, 28.6)),
    "BH": ("Bahrain", (25.5, 26.4, 50.3, 50.9)),
    "BR": ("Brazil", (-33.8, 5.3, -74.0, -34.7)),
    "CA": ("Canada", (41.7, 83.1, -141.0, -52.6)),
    "CH": ("Switzerland", (45.8, 47.8, 5.9, 10.5)),
    "CL": ("Chile", (-56.0, -17.5, -75.7, -66.4)),
    "CN": ("China", (18.1, 53.6, 73.5, 134.8)),
    "CO": ("Colombia", (-4.2, 13.4, -81.7, -66.9)),
    "CY": ("Cyprus", (34.5, 35.7, 32.2, 34.6)),
    "CZ": ("Czech Republic", (48.5, 51.1, 12.1, 18.9)),
    "DE": ("Germany", (47.2, 55.1, 5.8, 15.1)),
    "DK": ("Denmark", (54.5, 57.8, 8.0, 15.2)),
    "EE": ("Estonia", (57.5, 59.8, 21.7, 28.3)),
    "EG": ("Egypt", (22.0, 31.7, 24.7, 36.9)),
    "ES": ("Spain", (27.6, 43.8, -18.2, 4.4)),
    "FI": ("Finland", (59.7, 70.1, 19.1, 31.6)),
    "FR": ("France", (41.3, 51.1, -5.2, 9.6)),
    "GB": ("United Kingdom", (49.8, 60.9, -8.7, 1.8)),
    "GR": ("Greece", (34.8, 41.8, 19.3, 29.7)),
    "HK": ("Hong Kong", (22.1, 22.6, 113.8, 114.5)),
    "HR": ("Croatia", (42.3, 46.6, 13.4, 19.5)),
    "HU": ("Hungary", (45.7, 48.6, 16.1, 22.9)),
    "ID": ("Indonesia", (-11.0, 6.1, 95.0, 141.1)),
    "IE": ("Ireland", (51.4, 55.4, -10.7, -5.9)),
    "IL": ("Israel", (29.4, 33.4, 34.2, 35.9)),
    "IN": ("India", (6.7, 35.6, 68.1, 97.4)),
    "IS": ("Iceland", (63.2, 66.6, -24.6, -13.4)),
    "IT": ("Italy", (35.4, 47.1, 6.6, 18.6)),
    "JP": ("Japan", (24.0, 45.6, 122.9, 146.0)),
    "KE": ("Kenya", (-4.8, 5.1, 33.9, 41.9)),
    "KR": ("South Korea", (33.1, 38.7, 124.6, 131.0)),
    "KW": ("Kuwait", (28.5, 30.2, 46.5, 48.5)),
    "LT": ("Lithuania", (53.8, 56.5, 20.9, 26.9)),
    "LU": ("Luxembourg", (49.4, 50.2, 5.7, 6.6)),
    "LV": ("Latvia", (55.6, 58.1, 20.9, 28.3)),
    "MX": ("Mexico", (14.5, 32.8, -118.5, -86.7)),
    "MY": ("Malaysia", (0.8, 7.4, 99.6, 119.3)),
    "NG": ("Nigeria", (4.2, 13.9, 2.6, 14.7)),
    "NL": ("Netherlands", (50.7, 53.6, 3.3, 7.3)),
    "NO": ("Norway", (57.9, 71.3, 4.5, 31.2)),
    "NZ": ("New Zealand", (-47.4, -34.3, 166.3, 178.7)),
    "PE": ("Peru", (-18.4, 0.0, -81.4, -68.6)),
    "PH": ("Philippines", (4.6, 21.2, 116.9, 126.7)),
    "PL": ("Poland", (49.0, 54.9, 14.1, 24.2)),
    "PT": ("Portugal", (30.0, 42.2, -31.3, -6.2)),
    "QA": ("Qatar", (24.4, 26.2, 50.7, 51.7)),
    "RO": ("Romania", (43.6, 48.3, 20.2, 29.8)),
    "RS": ("Serbia", (42.2, 46.2, 18.8, 23.0)),
    "SA": ("Saudi Arabia", (16.3, 32.2, 34.5, 55.7)),
    "SE": ("Sweden", (55.3, 69.1, 10.9, 24.2)),
    "SG": ("Singapore", (1.1, 1.5, 103.6, 104.1)),
    "SI": ("Slovenia", (45.4, 46.9, 13.4, 16.6)),
    "SK": ("Slovakia", (47.7, 49.7, 16.8, 22.6)),
    "TH": ("Thailand", (5.6, 20.5, 97.3, 105.7)),
    "TR": ("Turkey", (35.8, 42.2, 25.6, 44.9)),
    "TW": ("Taiwan", (21.8, 25.4, 119.3, 122.1)),
    "UA": ("Ukraine", (44.3, 52.4, 22.1, 40.3)),
    "US": ("United States", (18.9, 71.5, -179.2, -66.9)),
    "VN": ("Vietnam", (8.5, 23.4, 102.1, 109.5)),
    "ZA": ("South Africa", (-34.9, -22.1, 16.4, 33.0)),
}

_STATES: dict[str, tuple[str, Box]] = {
    "AL": ("Alabama", (30.1, 35.0, -88.5, -84.9)),
    "AK": ("Alaska", (51.2, 71.5, -179.2, -129.9)),
    "AZ": ("Arizona", (31.3, 37.0, -114.9, -109.0)),
    "AR": ("Arkansas", (33.0, 36.5, -94.7, -89.6)),
    "CA": ("California", (32.5, 42.0, -124.5, -114.1)),
    "CO": ("Colorado", (37.0, 41.0, -109.1, -102.0)),
    "CT": ("Connecticut", (40.9, 42.1, -73.8, -71.8)),
    "DE": ("Delaware", (38.4, 39.9, -75.8, -75.0)),
    "DC": ("District of Columbia", (38.8, 39.0, -77.2, -76.9)),
    "FL": ("Florida", (24.4, 31.0, -87.7, -80.0)),
    "GA": ("Georgia", (30.3, 35.0, -85.7, -80.8)),
    "HI": ("Hawaii", (18.9, 22.3, -160.3, -154.8)),
    "ID": ("Idaho", (42.0, 49.0, -117.3, -111.0)),
    "IL": ("Illinois", (36.9, 42.5, -91.6, -87.0)),
    "IN": ("Indiana", (37.7, 41.8, -88.1, -84.7)),
    "IA": ("Iowa", (40.3, 43.5, -96.7, -90.1)),
    "KS": ("Kansas", (37.0, 40.0, -102.1, -94.5)),
    "KY": ("Kentucky", (36.4, 39.2, -89.6, -81.9)),
    "LA": ("Louisiana", (28.9, 33.1, -94.1, -88.8)),
    "ME": ("Maine", (42.9, 47.5, -71.1, -66.9)),
    "MD": ("Maryland", (37.8, 39.8, -79.5, -75.0)),
    "MA": ("Massachusetts", (41.2, 42.9, -73.6, -69.9)),
    "MI": ("Michigan", (41.6, 48.4, -90.5, -82.1)),
    "MN": ("Minnesota", (43.4, 49.5, -97.3, -89.4)),
    "MS": ("Mississippi", (30.1, 35.0, -91.7, -88.0)),
    "MO": ("Missouri", (35.9, 40.7, -95.8, -89.0)),
    "MT": ("Montana", (44.3, 49.1, -116.1, -104.0)),
    "NE": ("Nebraska", (40.0, 43.1, -104.1, -95.3)),
    "NV": ("Nevada", (35.0, 42.0, -120.1, -114.0)),
    "NH": ("New Hampshire", (42.6, 45.4, -72.6, -70.6)),
    "NJ": ("New Jersey", (38.9, 41.4, -75.6, -73.8)),
    "NM": ("New Mexico", (31.3, 37.0, -109.1, -103.0)),
    "NY": ("New York", (40.4, 45.1, -79.8, -71.8)),
    "NC": ("North Carolina", (33.8, 36.6, -84.4, -75.4)),
    "ND": ("North Dakota", (45.9, 49.1, -104.1, -96.5)),
    "OH": ("Ohio", (38.4, 42.0, -84.9, -80.5)),
    "OK": ("Oklahoma", (33.6, 37.0, -103.1, -94.4)),
    "OR": ("Oregon", (41.9, 46.3, -124.6, -116.4)),
    "PA": ("Pennsylvania", (39.7, 42.3, -80.6, -74.6)),
    "RI": ("Rhode Island", (41.1, 42.1, -71.9, -71.1)),
    "SC": ("South Carolina", (32.0, 35.3, -83.4, -78.5)),
    "SD": ("South Dakota", (42.4, 46.0, -104.1, -96.4)),
    "TN": ("Tennessee", (34.9, 36.7, -90.4, -81.6)),
    "TX": ("Texas", (25.8, 36.6, -106.7, -93.5)),
    "UT": ("Utah", (36.9, 42.1, -114.1, -109.0)),
    "VT": ("Vermont", (42.7, 45.1, -73.5, -71.4)),
    "VA": ("Virginia", (36.5, 39.5, -83.7, -75.2)),
    "WA": ("Washington", (45.5, 49.1, -124.9, -116.9)),
    "WV": ("West Virginia", (37.2, 40.7, -82.7, -77.7)),
    "WI": ("Wisconsin", (42.4, 47.1, -93.0, -86.2)),
    "WY": ("Wyoming", (40.9, 45.1, -111.1, -104.0)),
}

_OTHER_NAMES = {
    "czechia": "CZ", "united states of america": "US", "usa": "US", "uk": "GB", "great britain": "GB", "england": "GB",
    "republic of korea": "KR", "korea": "KR", "the netherlands": "NL", "holland": "NL", "türkiye": "TR",
    "viet nam": "VN", "uae": "AE",
}  # fmt: skip
_COUNTRY_CODES = {name.casefold(): code for code, (name, _) in _COUNTRIES.items()} | _OTHER_NAMES
_STATE_CODES = {name.casefold(): code for code, (name, _) in _STATES.items()}


@dataclass(frozen=True)
class Verdict:
    """Whether a place is where it says: True, False, or None when that cannot be judged; and why not."""

    right: bool | None
    why: str = ""


def judge(country: str | None, state: str | None, latitude: str | None, longitude: str | None) -> Verdict:
    """Compare coordinates (degrees, as text) with the country, and in the USA with the state."""
    if not latitude or not longitude:
        return Verdict(None, "no coordinates")
    try:
        north, east = float(latitude), float(longitude)
    except ValueError:
        return Verdict(False, f"'{latitude}, {longitude}' are no degrees")
    if north == 0 and east == 0:
        return Verdict(False, "0, 0 is a point in the Gulf of Guinea: not captured")
    if not (-90 <= north <= 90 and -180 <= east <= 180):
        return Verdict(False, f"{latitude}, {longitude} is not on the globe")
    return _judged(country, state, north, east)


def _judged(country: str | None, state: str | None, north: float, east: float) -> Verdict:
    code = _code(country, _COUNTRIES, _COUNTRY_CODES)
    if code is None:
        return Verdict(None, f"where {country or 'it'} lies is not known here")
    inner = _code(state, _STATES, _STATE_CODES) if code == "US" else None
    name, box = _STATES[inner] if inner is not None else _COUNTRIES[code]
    if _within(box, north, east):
        return Verdict(True)
    swapped = ", latitude and longitude are swapped" if _within(box, east, north) else ""
    there = _found(north, east)
    return Verdict(False, f"{north:g}, {east:g} is not in {name}{there}{swapped}")


def _code(text: str | None, table: dict[str, tuple[str, Box]], names: dict[str, str]) -> str | None:
    key = (text or "").strip()
    return key.upper() if key.upper() in table else names.get(key.casefold())


def _within(box: Box, north: float, east: float) -> bool:
    low, high, west, end = box
    return low - MARGIN <= north <= high + MARGIN and west - MARGIN <= east <= end + MARGIN


def _found(north: float, east: float) -> str:
    """The state or country whose box holds a point, to help who looks for the fault; the smallest box wins."""
    holding = [
        ((box[1] - box[0]) * (box[3] - box[2]), name)
        for name, box in (*_STATES.values(), *(held for code, held in _COUNTRIES.items() if code != "US"))
        if _within(box, north, east)
    ]
    return f", but near {min(holding)[1]}" if holding else ""
