# Not tested on the machine where it was written: no container engine was at hand.
# docker build -t reines . && docker run --rm -v "$PWD:/work" reines --help
FROM rust:1.95 AS build
WORKDIR /source
COPY . .
RUN cargo build --release --locked --bin reines

FROM debian:trixie-slim
COPY --from=build /source/target/release/reines /usr/local/bin/reines
# By number: then a host that allows no root sees that it is none.
RUN useradd --create-home --uid 10001 reines
USER 10001
WORKDIR /work
ENTRYPOINT ["reines"]
