# Sourced by scripts/serve and scripts/test: the Python environment in .venv/.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv
# Material prints an advertisement for its successor on every build otherwise.
export NO_MKDOCS_2_WARNING=1

say() { printf '%s\n' "$*" >&2; }

die() {
  say "$*"
  exit 2
}

# Prints the first interpreter that is new enough; FAULTBOOK_PYTHON wins.
find_python() {
  local candidate
  for candidate in ${FAULTBOOK_PYTHON:+"$FAULTBOOK_PYTHON"} python3 python3.13 python3.12 python3.11 python; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  die "Faultbook needs Python 3.11 or newer. Install it, or name one: FAULTBOOK_PYTHON=/path/to/python3 $0"
}

# Prints one hash over the given files and the interpreter's version.
fingerprint() {
  "$1" - "${@:2}" <<'PY'
import hashlib, pathlib, sys
digest = hashlib.sha256(sys.version.encode())
for name in sys.argv[1:]:
    digest.update(pathlib.Path(name).read_bytes())
print(digest.hexdigest())
PY
}

pip_install() {
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input "$@"
}

# ensure_env base|test: makes .venv/ hold exactly that lock file, and the project itself.
# It is made anew only when the lock file or the interpreter has changed; `test` contains `base`,
# so an environment for tests also serves.
ensure_env() {
  local wanted=$1 python locks=$root/requirements base test project
  python=$(find_python)
  base=base:$(fingerprint "$python" "$locks/build.txt" "$locks/base.txt")
  test=test:$(fingerprint "$python" "$locks/build.txt" "$locks/base.txt" "$locks/test.txt")
  project=$(fingerprint "$python" "$root/pyproject.toml")
  local goal=${!wanted} present
  present=$(cat "$venv/.locked" 2>/dev/null || true)

  if [[ $present != "$test" && $present != "$goal" ]]; then
    # From base to test is only more of the same; everything else starts afresh.
    if [[ $present != "$base" ]]; then
      say "Making .venv with $("$python" --version) ..."
      rm -rf "$venv"
      "$python" -m venv "$venv" || die "Python's venv module is missing here (on Debian: apt install python3-venv)."
    fi
    rm -f "$venv/.locked" "$venv/.project"
    say "Installing requirements/$wanted.txt ..."
    pip_install --require-hashes -r "$locks/build.txt" &&
      pip_install --no-build-isolation --require-hashes -r "$locks/$wanted.txt" ||
      die "Installing requirements/$wanted.txt failed; see above. Nothing outside .venv was changed."
    printf '%s\n' "$goal" >"$venv/.locked"
  fi

  if [[ $(cat "$venv/.project" 2>/dev/null || true) != "$project" ]]; then
    pip_install --no-deps --no-build-isolation --editable "$root" ||
      die "Installing the project into .venv failed; see above."
    printf '%s\n' "$project" >"$venv/.project"
  fi
}
