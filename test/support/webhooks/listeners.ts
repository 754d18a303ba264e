import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { onTestFinished } from 'vitest';

/** For test servers only: trusted by nobody, names `receiver.test`, valid 2020 to 2120. */
const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgkigg87DU8cQh0wq+
lV4y/OyAhNUqUM6t5no0bQXfn2ChRANCAATxLrBTkWISrgTOy8IRr4ownQh08VMC
vUUwKzPTKBXREagzlrpDRNFkWkDOgc/n7Fr83QTb/kSIyNAh/I1XCJpj
-----END PRIVATE KEY-----
`;
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBgDCCASagAwIBAgIULG9XJDJozN1RXeCYy6g2WkQFf84wCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIw
MDEwMTAwMDAwMFowGDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABPEusFORYhKuBM7LwhGvijCdCHTxUwK9RTArM9MoFdER
qDOWukNE0WRaQM6Bz+fsWvzdBNv+RIjI0CH8jVcImmOjTDBKMBgGA1UdEQQRMA+C
DXJlY2VpdmVyLnRlc3QwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUyYmv4U0D
GplglYdor5E9NMcDbkEwCgYIKoZIzj0EAwIDSAAwRQIhALioBypBC48hfdrB4bpb
KUIbPyGHeY2frVUb9HfOqDKyAiBhS+6vZTGqtj7NaAHGNS18jO6aVG20zWe3bgy2
QyKvxQ==
-----END CERTIFICATE-----
`;
/** What a TLS server of tests shows, and has. */
export const selfSignedKeys = { key: privateKey, cert: certificate };

/** Runs when the test is over, the latest first. */
export function closeLater(close: () => Promise<unknown>): void {
  onTestFinished(async () => void (await close()));
}

export type Listener = {
  port: number;
  /** Connections so far, counted below HTTP and TLS. */
  connections: () => number;
  /** Resolves when there was a connection and none is open any more. */
  allClosed: () => Promise<void>;
};

/** Starts a server on a free port, of loopback unless told otherwise. */
export async function listen(server: net.Server, host = '127.0.0.1'): Promise<Listener> {
  let connections = 0;
  const sockets = new Set<net.Socket>();
  let onChange = (): void => {};
  server.on('connection', (socket: net.Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      onChange();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve);
  });
  closeLater(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  const allClosed = (): Promise<void> =>
    new Promise((resolve) => {
      onChange = () => {
        if (connections > 0 && sockets.size === 0) resolve();
      };
      onChange();
    });
  return { port: address.port, connections: () => connections, allClosed };
}

/**
 * A listener on all of this machine's addresses that nobody may reach; it is shown that both kinds would be counted.
 */
export async function listenEverywhere(): Promise<{ port: number; connections: () => number }> {
  const { port, connections } = await listen(
    net.createServer((socket) => socket.destroy()),
    '::',
  );
  for (const host of ['127.0.0.1', '::1']) {
    await new Promise<void>((resolve, reject) => {
      net
        .connect(port, host)
        .on('error', reject)
        .on('close', () => resolve())
        .resume();
    });
  }
  const before = connections();
  if (before !== 2) throw new Error(`of 2 connections, ${String(before)} were counted`);
  return { port, connections: () => connections() - before };
}

/** An HTTP receiver of webhooks. */
export function receiver(answer: http.RequestListener): Promise<Listener> {
  return listen(http.createServer(answer));
}

/** An HTTPS receiver whose certificate nobody has signed. */
export function selfSignedReceiver(answer: http.RequestListener): Promise<Listener> {
  return listen(https.createServer(selfSignedKeys, answer));
}

/** A server below HTTP: `talk` gets each connection once its request has begun to arrive. */
export function rawReceiver(talk: (socket: net.Socket) => void): Promise<Listener> {
  return listen(
    net.createServer((socket) => {
      socket.once('data', () => {
        talk(socket);
      });
    }),
  );
}

/** A promise to be kept from outside. */
export function deferred(): { promise: Promise<void>; resolve: () => void } {
  let keep: (() => void) | undefined;
  const promise = new Promise<void>((resolve) => {
    keep = resolve;
  });
  return { promise, resolve: () => keep?.() };
}
