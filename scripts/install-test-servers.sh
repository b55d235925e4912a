#!/bin/sh
# Installs the third-party servers that `npm run test:servers` starts, and redis-server and curl for other tests.
# Debian 12, as root. Running it again changes nothing. No server is started here, nor at boot by being installed.
set -eu

debian_packages="redis-server postgresql curl"

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "This script installs Debian packages, so it needs root and apt-get. By hand, install:" >&2
  echo "  $debian_packages" >&2
  exit 1
fi

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]
}

missing=""
for package in $debian_packages; do
  is_installed "$package" || missing="$missing $package"
done

policy=/usr/sbin/policy-rc.d
log=$(mktemp)
made_policy=no
clean_up() {
  rm -f "$log"
  if [ "$made_policy" = yes ]; then rm -f "$policy"; fi
}
trap clean_up EXIT

# Says nothing when all goes well, everything when not.
quietly() {
  "$@" >"$log" 2>&1 || {
    cat "$log" >&2
    echo "Failed: $*" >&2
    exit 1
  }
}

if [ -n "$missing" ]; then
  # Debian starts a daemon as soon as it is installed, unless this file forbids it.
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
    made_policy=yes
  fi
  export DEBIAN_FRONTEND=noninteractive
  quietly apt-get -o DPkg::Lock::Timeout=60 update
  # shellcheck disable=SC2086 # a list of names
  quietly apt-get -o DPkg::Lock::Timeout=60 install -y --no-install-recommends $missing
fi

for package in $debian_packages; do
  case " $missing " in
    *" $package "*) state=installed ;;
    *) state=present ;;
  esac
  echo "$package $(dpkg-query -W -f '${Version}' "$package"): $state"
done
