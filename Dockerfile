# threadsite in a container: https://docs.docker.com/build/building/multi-stage/
#
#   docker build -t threadsite .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/site" threadsite build
#
# ssh refuses a user whom /etc/passwd does not name. For publishing by ssh, add the machine's own list and the keys:
# -v /etc/passwd:/etc/passwd:ro -v "$HOME/.ssh:$HOME/.ssh:ro"
#
# The site's folder is mounted at /site, and what is built stays in it: threadsite changes files in place, so that a folder that is
# mounted stays the same folder.
FROM swift:6.3-bookworm AS build
RUN apt-get update -q \
    && apt-get install -q -y --no-install-recommends libarchive-dev libcmark-dev libcurl4-openssl-dev libsecp256k1-dev libsqlite3-dev libxml2-dev libyaml-dev make nettle-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
# The time of the last change, for the date of the pages for man; none, if not given.
ARG SOURCE_DATE_EPOCH
RUN make install PREFIX=/usr/local DESTDIR=/installed

FROM debian:bookworm-slim
# git and rsync are for `threadsite publish`.
RUN apt-get update -q \
    && apt-get install -q -y --no-install-recommends ca-certificates git libarchive13 libcmark0.30.2 libcurl4 libnettle8 libsecp256k1-1 libsqlite3-0 libstdc++6 libxml2 libyaml-0-2 openssh-client rsync tzdata zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 threadsite \
    && install -d -o threadsite -g threadsite /site
COPY --from=build /installed/usr/local /usr/local
# Any user may run it (--user), and then needs a home for git.
ENV HOME=/home/threadsite LANG=C.UTF-8
USER threadsite
WORKDIR /site
VOLUME /site
# Of `threadsite serve --host 0.0.0.0`.
EXPOSE 8000
ENTRYPOINT ["threadsite"]
CMD ["help"]
