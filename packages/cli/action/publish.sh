#!/usr/bin/env bash
# Checks and publishes the script of a folder. Reads SCRIPTYARD_TOKEN, SCRIPTYARD_FOLDER, SCRIPTYARD_CHANGELOG and SCRIPTYARD_VERSION,
# and writes `status` and `url` to GITHUB_OUTPUT if it is set. SCRIPTYARD_CLI is the command, by default the published package.
set -euo pipefail

read -r -a cli <<<"${SCRIPTYARD_CLI:-npx --yes @scriptyard/cli@0}"
folder=(--folder "${SCRIPTYARD_FOLDER:-.}")

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
