#!/bin/sh
# Runs mosquitto, and has it read its users again after each change. The arguments are its configuration and the folder
# that `tapbench broker-acl mosquitto --watch` writes to.
configuration=${1:-/mosquitto/config/mosquitto.conf}
users=${2:-/data}

state() { cksum "$users"/tapbench.* 2>/dev/null; }

# Written last, once the files that it refers to are there.
until [ -s "$users/tapbench.conf" ]; do sleep 1; done
loaded=$(state)
mosquitto -c "$configuration" &
broker=$!
trap 'kill -TERM $broker' TERM INT
while kill -0 $broker 2>/dev/null; do
  sleep 1 &
  wait $!
  current=$(state)
  if [ "$current" != "$loaded" ]; then
    loaded=$current
    kill -HUP $broker
  fi
done
wait $broker
