#!/usr/bin/env bash
# Checks and publishes the script of a folder. Reads SCRIPTYARD_TOKEN, SCRIPTYARD_FOLDER, SCRIPTYARD_CHANGELOG and SCRIPTYARD_VERSION,
# and writes `status` and `url` to GITHUB_OUTPUT if it is set. SCRIPTYARD_CLI is the command, by default the one of the site.
set -euo pipefail

folder=(--folder "${SCRIPTYARD_FOLDER:-.}")
read_site='console.log(new URL(JSON.parse(require("fs").readFileSync(process.argv[1], "utf8").replace(/^\uFEFF/, "")).site).origin)'
site=$(node -e "$read_site" "${SCRIPTYARD_FOLDER:-.}/scriptyard.json")
read -r -a cli <<<"${SCRIPTYARD_CLI:-npx --yes $site/cli.tgz}"

"${cli[@]}" check "${folder[@]}"

options=()
[ -z "${SCRIPTYARD_CHANGELOG:-}" ] || options+=("--changelog=$SCRIPTYARD_CHANGELOG")
[ -z "${SCRIPTYARD_VERSION:-}" ] || options+=("--version=$SCRIPTYARD_VERSION")
result=$("${cli[@]}" publish "${folder[@]}" --json ${options[@]+"${options[@]}"}) || {
  code=$?
  echo "$result" >&2
  exit "$code"
}
echo "$result"
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  node -e 'const { status, url } = JSON.parse(process.argv[1]); console.log(`status=${status}\nurl=${url}`)' "$result" >>"$GITHUB_OUTPUT"
fi
