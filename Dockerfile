# metnos in a container: built in one stage, run in another that holds the program and root certificates only.
#
#   docker build -t metnos .
#   docker run -it -v metnos:/data metnos                                   a conversation in the terminal
#   docker run -d -v metnos:/data -e METNOS_TELEGRAM_TOKEN=... metnos serve  Telegram
#
# It listens on no port: Telegram and the model are called, nobody calls in.

FROM rust:1.95-bookworm AS build
WORKDIR /build
COPY . .
# What was downloaded and compiled stays in the builder's cache, so that an edit compiles metnos alone.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/build/target \
    cargo build --release --locked && cp target/release/metnos /usr/local/bin/metnos

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --create-home --home-dir /home/metnos metnos \
    && install -d -o metnos -g metnos -m 0700 /data
COPY --from=build /usr/local/bin/metnos /usr/local/bin/metnos
USER metnos
WORKDIR /home/metnos
ENV METNOS_DATA_DIR=/data
VOLUME /data
STOPSIGNAL SIGTERM
ENTRYPOINT ["metnos"]
