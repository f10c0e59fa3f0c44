#!/usr/bin/env bash
# Checks and publishes the script of a folder. Reads SCRIPTYARD_TOKEN, SCRIPTYARD_FOLDER, SCRIPTYARD_CHANGELOG and SCRIPTYARD_VERSION,
# and writes `status`, `state` and `url` to GITHUB_OUTPUT if it is set. SCRIPTYARD_CLI is the command, by default the one of the site.
# A version that is held ends it with code 5, after a warning with the reasons, also in GITHUB_STEP_SUMMARY.
set -euo pipefail

folder=(--folder "${SCRIPTYARD_FOLDER:-.}")
read_site='console.log(new URL(JSON.parse(require("fs").readFileSync(process.argv[1], "utf8").replace(/^\uFEFF/, "")).site).origin)'
site=$(node -e "$read_site" "${SCRIPTYARD_FOLDER:-.}/scriptyard.json")
read -r -a cli <<<"${SCRIPTYARD_CLI:-npx --yes $site/cli.tgz}"

"${cli[@]}" check "${folder[@]}"

options=()
[ -z "${SCRIPTYARD_CHANGELOG:-}" ] || options+=("--changelog=$SCRIPTYARD_CHANGELOG")
[ -z "${SCRIPTYARD_VERSION:-}" ] || options+=("--version=$SCRIPTYARD_VERSION")
code=0
result=$("${cli[@]}" publish "${folder[@]}" --json ${options[@]+"${options[@]}"}) || code=$?
if [ "$code" -ne 0 ] && [ "$code" -ne 5 ]; then
  echo "$result" >&2
  exit "$code"
fi
echo "$result"
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  write_outputs='const { status, state = "current", url } = JSON.parse(process.argv[1]); console.log(`status=${status}\nstate=${state}\nurl=${url}`)'
  node -e "$write_outputs" "$result" >>"$GITHUB_OUTPUT"
fi
if [ "$code" -eq 5 ]; then
  text=$(node -e 'console.log(JSON.parse(process.argv[1]).message)' "$result")
  # In a command to the runner, line breaks are escaped.
  escaped=${text//'%'/%25}
  escaped=${escaped//$'\r'/%0D}
  echo "::warning title=A version is held::${escaped//$'\n'/%0A}"
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || printf '## A version is held\n\n```\n%s\n```\n' "${text//'`'/}" >>"$GITHUB_STEP_SUMMARY"
fi
exit "$code"
