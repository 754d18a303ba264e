import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';

/** Ports on 127.0.0.1 that nobody has bound now, all different. */
export async function freeUdpPorts(count: number): Promise<number[]> {
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = createSocket('udp4');
      await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
      return socket;
    }),
  );
  const ports = sockets.map((socket) => socket.address().port);
  await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.close(resolve))));
  return ports;
}

/** Whether somebody has bound a UDP port of this network. */
export async function isBound(port: number): Promise<boolean> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return (await readFile('/proc/net/udp', 'utf8')).includes(`:${hex} `);
}
