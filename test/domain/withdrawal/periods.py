"""Computes periods of withdrawal with other code than ours, as data for periods.test.ts.

Time zones come from zoneinfo, national holidays from the package `holidays`, Easter from dateutil:

    pip install holidays==0.109 python-dateutil tzdata
    python periods.py > periods.json
"""

import datetime as dt
import json
import random
import re
from functools import lru_cache
from zoneinfo import ZoneInfo

import holidays
from dateutil.easter import EASTER_ORTHODOX, EASTER_WESTERN, easter

ZONES = {
    "AT": ["Europe/Vienna"], "BE": ["Europe/Brussels"], "BG": ["Europe/Sofia"], "CY": ["Asia/Nicosia"],
    "CZ": ["Europe/Prague"], "DE": ["Europe/Berlin"], "DK": ["Europe/Copenhagen"], "EE": ["Europe/Tallinn"],
    "ES": ["Europe/Madrid", "Atlantic/Canary"], "FI": ["Europe/Helsinki"],
    "FR": ["Europe/Paris", "America/Guadeloupe", "America/Cayenne", "Indian/Reunion", "Indian/Mayotte"],
    "GB": ["Europe/London"], "GR": ["Europe/Athens"], "HR": ["Europe/Zagreb"], "HU": ["Europe/Budapest"],
    "IE": ["Europe/Dublin"], "IS": ["Atlantic/Reykjavik"], "IT": ["Europe/Rome"], "LI": ["Europe/Vaduz"],
    "LT": ["Europe/Vilnius"], "LU": ["Europe/Luxembourg"], "LV": ["Europe/Riga"], "MT": ["Europe/Malta"],
    "NL": ["Europe/Amsterdam"], "NO": ["Europe/Oslo"], "PL": ["Europe/Warsaw"],
    "PT": ["Europe/Lisbon", "Atlantic/Madeira", "Atlantic/Azores"], "RO": ["Europe/Bucharest"],
    "SE": ["Europe/Stockholm"], "SI": ["Europe/Ljubljana"], "SK": ["Europe/Bratislava"],
}

# Days that a government fixes year by year, or that we leave to the days of grace.
LEFT_OUT = re.compile(
    r"observed|substituted|Non-working|Midsummer Eve|First Day of Summer|^May Day$|Spring Bank Holiday|Additional"
)
ORTHODOX = ("BG", "CY", "GR", "RO")
YEARS = range(2025, 2032)


@lru_cache(None)
def national(country):
    named = holidays.country_holidays(country, years=list(YEARS), language="en_US")
    return {day for day, name in named.items() if not LEFT_OUT.search(name)}


@lru_cache(None)
def days_off(country):
    days = set(national(country))
    for year in YEARS:
        for month, day in ((1, 1), (5, 1), (12, 25), (12, 26)):
            days.add(dt.date(year, month, day))
        sunday = easter(year, EASTER_ORTHODOX if country in ORTHODOX else EASTER_WESTERN)
        for distance in (-48, -3, -2, 1, 39, 50, 60):
            days.add(sunday + dt.timedelta(distance))
    return days


def working(country, day):
    while day.isoweekday() > 5 or day in days_off(country):
        day += dt.timedelta(1)
    return day


def year_later(day):
    try:
        return day.replace(year=day.year + 1)
    except ValueError:
        return dt.date(day.year + 1, 2, 28)


def end_of(day, zone):
    local = dt.datetime(day.year, day.month, day.day, 23, 59, 59, 999000, tzinfo=zone)
    return local.astimezone(dt.timezone.utc)


def period(country, concluded, informed):
    found = []
    for name in ZONES[country]:
        zone = ZoneInfo(name)
        contract = concluded.astimezone(zone).date()
        told = informed and informed.astimezone(zone).date()
        regular = working(country, contract + dt.timedelta(14))
        if told is None or told > year_later(contract):
            start, last, why = contract, working(country, year_later(regular)), "no_instructions"
        elif told > contract:
            start, last, why = told, working(country, told + dt.timedelta(14)), "instructions_late"
        else:
            start, last, why = contract, regular, "fourteen_days"
        grace = end_of(last + dt.timedelta(5), zone)
        found.append((end_of(last, zone), start + dt.timedelta(1), last, grace, why))
    end, first, last, grace, why = max(found)
    return [str(first), str(last), iso(end), iso(grace), why]


def iso(instant):
    return instant.strftime("%Y-%m-%dT%H:%M:%S.") + f"{instant.microsecond // 1000:03d}Z"


def cases():
    utc = dt.timezone.utc
    edges = [
        "2026-02-14T22:59:59.999Z", "2026-02-14T23:00:00.000Z", "2027-02-15T12:00:00.000Z",
        "2028-02-14T12:00:00.000Z", "2028-02-15T12:00:00.000Z", "2028-02-29T23:30:00.000Z",
        "2027-03-01T00:30:00.000Z", "2026-12-10T12:00:00.000Z", "2026-12-17T23:59:59.999Z",
        "2026-12-18T00:00:00.000Z", "2026-12-31T22:59:59.999Z", "2026-12-31T23:59:59.999Z",
        "2026-03-14T23:30:00.000Z", "2026-03-15T00:30:00.000Z", "2026-03-29T00:59:59.999Z",
        "2026-03-29T01:00:00.000Z", "2026-10-11T22:30:00.000Z", "2026-10-25T00:30:00.000Z",
        "2026-10-25T01:30:00.000Z", "2027-03-14T12:00:00.000Z", "2026-03-20T12:00:00.000Z",
        "2026-04-10T12:00:00.000Z", "2027-10-17T23:59:59.999Z",
    ]
    for at, country in enumerate(ZONES):
        for text in edges[at % 2 :: 2] if len(ZONES[country]) == 1 else edges:
            yield country, dt.datetime.fromisoformat(text), "same"
    rng = random.Random(35)
    for _ in range(450):
        country = rng.choice(list(ZONES))
        at = dt.datetime(2026, 1, 1, tzinfo=utc) + dt.timedelta(
            days=rng.randrange(1100), hours=rng.choice([0, 11, 21, 22, 23]), minutes=rng.choice([0, 30, 59]),
            seconds=rng.choice([0, 59]), milliseconds=rng.choice([0, 999]),
        )
        yield country, at, rng.choice(["same", "none", "soon", "late", "never"])


def main():
    rng = random.Random(53)
    rows = []
    for country, at, told in cases():
        informed = {
            "same": at,
            "none": None,
            "soon": at + dt.timedelta(minutes=rng.randrange(1, 180)),
            "late": at + dt.timedelta(days=rng.randrange(1, 366), minutes=rng.randrange(1440)),
            "never": at + dt.timedelta(days=rng.randrange(364, 420)),
        }[told]
        rows.append([country, iso(at), informed and iso(informed), *period(country, at, informed)])
    off = {
        country: " ".join(sorted(str(day) for day in national(country) if day.year in (2026, 2027, 2028)))
        for country in ZONES
    }
    lines = ",\n".join("    " + json.dumps(" ".join(field or "-" for field in row)) for row in rows)
    table = ",\n".join(f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in off.items())
    print('{\n  "holidays": {\n' + table + '\n  },\n  "periods": [\n' + lines + "\n  ]\n}")


main()
