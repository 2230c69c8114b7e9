"""Unpacks Kubernetes' JSON schemas from the wheel of kubernetes-validate, as kubeconform reads them
without a network: no $schema, no $id, and references relative to the file's folder."""
import json
import pathlib
import re
import sys
import zipfile

wheel, target = sys.argv[1], pathlib.Path(sys.argv[2])
archive = zipfile.ZipFile(wheel)
for name in archive.namelist():
    match = re.search(r"/(v1\.(?:27|36)\.0)-local-strict/([^/]+\.json)$", name)
    if match is None:
        continue
    schema = json.loads(archive.read(name))
    schema.pop("$schema", None)
    schema.pop("$id", None)
    text = re.sub(r'"[^"]*/_definitions\.json#', '"_definitions.json#', json.dumps(schema))
    path = target / match[1] / match[2]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
