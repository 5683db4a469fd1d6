# Built once with buildah, on images of Debian trixie and of Rust 1.95 made by hand (before 0.1.0).
# docker build -t reines .
# docker run --rm -v "$PWD:/work" --user "$(id -u):$(id -g)" reines --help
FROM rust:1.95-trixie AS build
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
