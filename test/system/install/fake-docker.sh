#!/usr/bin/env bash
# Stands for Docker's client where no daemon runs: notes its words, and runs the built command in place of the image, with the
# variables that a container would have.
printf '%s\n' "$*" >>"$DOCKER_CALLS"
case $1 in
  image) exit 1 ;;
  pull) exit "${DOCKER_PULL:-0}" ;;
esac
variables=("PATH=$PATH")
while [ "$1" != "$DOCKER_IMAGE" ]; do
  if [ "$1" = --env ]; then
    case $2 in
      *=*) variables+=("$2") ;;
      *) variables+=("$2=${!2}") ;;
    esac
  fi
  shift
done
exec env --ignore-environment "${variables[@]}" "$DOCKER_NODE" "$DOCKER_MAIN" "${@:2}"
