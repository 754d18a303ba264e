import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAccessPoint, IconAccessPointOff, IconPlugConnectedX } from '@tabler/icons-react';
import { Notable } from './Notable.tsx';
import type { WallboardLine } from './useWallboard.ts';
import classes from './WallboardPage.module.css';

const words: Record<WallboardLine['state'], string> = {
  connected: 'Live',
  connecting: 'Connecting…',
  reconnecting: 'Not live: reconnecting…',
  refused: 'Not live: refused',
  closed: 'Not live: signed out',
};

/** What the line to the gateway is doing, in a word. Always shown, and told when it changes. */
export function LineStatus({ line }: { line: WallboardLine }) {
  const isLive = line.state === 'connected';
  return (
    <output>
      <Notable tone={isLive ? 'good' : 'bad'} icon={isLive ? IconAccessPoint : IconAccessPointOff} text={words[line.state]} />
    </output>
  );
}

/** Says that what is shown may be old, and what can be done. Nothing while the line is up. */
export function LineTrouble({ line, connect }: { line: WallboardLine; connect: () => void }) {
  if (line.state === 'connected' || (line.state === 'connecting' && line.connects === 0)) return null;
  const isRefused = line.state === 'refused';
  const isEnded = line.state === 'closed';
  return (
    <Alert
      variant="light"
      color={isRefused || isEnded ? 'red' : 'yellow'}
      icon={<IconPlugConnectedX aria-hidden />}
      py="xs"
      classNames={{ message: classes.trouble ?? '' }}
    >
      <Group justify="space-between">
        <Text size="sm">{troubleText(line)}</Text>
        {!isEnded && (
          <Button size="compact-sm" variant="default" onClick={connect}>
            {isRefused ? 'Connect again' : 'Try now'}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function troubleText({ state, refusal, downSince, connects }: WallboardLine): string {
  const since = downSince === null ? '' : ` since ${new Date(downSince).toLocaleTimeString()}`;
  const detail = refusal === null ? '' : ` ${refusal.detail}`;
  const old = connects === 0 ? '' : ' What you see is from then.';
  if (state === 'closed') return `The log-in has ended, and with it the connection${since}.${old}`;
  if (state === 'refused') return `The gateway has ended the connection${since}.${detail}`;
  return `No connection${since}; trying again by itself.${old}${detail}`;
}
