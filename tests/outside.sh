#!/bin/sh
# What the tests need and pip cannot bring: a Chromium and Java 17. Where one is missing and this
# is root on a machine with apt-get, it is installed; otherwise one line says how to get it.
want() {
    what=$1 package=$2
    shift 2
    for command in "$@"; do
        if [ -n "$command" ] && command -v "$command" >/dev/null 2>&1; then return; fi
    done
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "installing $package"
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package"; } \
            >/dev/null 2>&1 && return
    fi
    echo "no $what here: its tests are skipped (get it with: apt-get install $package)"
}
want "Chromium" chromium "$CHROME" chromium chromium-browser google-chrome
want "Java 17" openjdk-17-jre-headless java
