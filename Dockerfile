FROM oven/bun:1.4.5-debian AS build
WORKDIR /build
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile --production
COPY . .
RUN bun src/build.ts

FROM debian:12-slim
RUN useradd --system --uid 10001 --no-create-home tollgate && install -d -o tollgate -g tollgate /data
COPY --from=build /build/dist/tollgate /usr/local/bin/tollgate
# The packages in it, in the format of CycloneDX.
COPY --from=build /build/dist/tollgate.cdx.json /usr/share/doc/tollgate/
USER tollgate
# Bash and a descriptor speak to the port: the base has no curl, and the check costs no second process of ours.
SHELL ["/bin/bash", "-c"]
ENV DATA_DIR=/data PORT=3000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=3s --start-period=5s \
  CMD exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3 && grep -q ' 200 ' <<<"$(head -n 1 <&3)"
ENTRYPOINT ["tollgate"]
