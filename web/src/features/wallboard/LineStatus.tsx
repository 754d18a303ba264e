import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAccessPoint, IconAccessPointOff, IconPlugConnectedX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { refusalText } from '../../lib/gateway/apiProblem.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import { type Format, useFormat } from '../../lib/i18n/format.ts';
import { Notable } from './Notable.tsx';
import type { WallboardLine } from './useWallboard.ts';
import classes from './WallboardPage.module.css';

/** What the line to the gateway is doing, in a word. Always shown, and told when it changes. */
export function LineStatus({ line }: { line: WallboardLine }) {
  const { t } = useTranslation();
  const isLive = line.state === 'connected';
  return (
    <output>
      <Notable
        tone={isLive ? 'good' : 'bad'}
        icon={isLive ? IconAccessPoint : IconAccessPointOff}
        text={t(`wallboard.line.${line.state}`)}
      />
    </output>
  );
}

/** Says that what is shown may be old, and what can be done. Nothing while the line is up. */
export function LineTrouble({ line, connect }: { line: WallboardLine; connect: () => void }) {
  const format = useFormat();
  const { t } = useTranslation();
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
        <Text size="sm">{troubleText(t, format, line)}</Text>
        {!isEnded && (
          <Button size="compact-sm" variant="default" onClick={connect}>
            {t(isRefused ? 'wallboard.trouble.connectAgain' : 'wallboard.trouble.tryNow')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function troubleText(t: Translate, format: Format, { state, refusal, downSince, connects }: WallboardLine): string {
  const since = format.time(downSince ?? Date.now(), 'seconds');
  const what = state === 'closed' || state === 'refused' ? state : 'down';
  const isOld = connects > 0 && state !== 'refused';
  const parts = [
    t(`wallboard.trouble.${what}`, { since }),
    isOld ? t('wallboard.trouble.old') : '',
    state === 'closed' ? '' : refusal === null ? '' : refusalText(t, refusal),
  ];
  return parts.filter((part) => part !== '').join(' ');
}
