import { ActionIcon, Anchor, Menu, Text } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { DealBoard, DealView } from '../../../../src/contract/deals.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import type { PickedUp } from '../../shared/dragging/usePickedUp.ts';
import classes from './Board.module.css';

/**
 * One deal on the board: dragged by the pointer anywhere on it, with a finger and by keyboard at its handle,
 * which also has a menu of the stages.
 */
export function DealCard({
  deal,
  stages,
  picked,
}: {
  deal: DealView;
  stages: DealBoard['stages'];
  picked: PickedUp<DealView>;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { id, name, value, currency, contact, organisation, owner, expected_close } = deal;
  const who = [contact?.name, organisation?.name].filter((part) => part !== null && part !== undefined);
  const about = [
    owner?.name,
    expected_close === null ? undefined : t('crmArea.deals.closes', { day: format.day(expected_close) }),
  ].filter((part) => part !== undefined);
  const isHeld = picked.held?.item.id === id;
  return (
    <li className={classes.card} data-item={id} data-held={isHeld || undefined} {...picked.itemEvents(deal)}>
      <div className={classes.text}>
        <Anchor component={Link} to={`/deals/${id}`} size="sm" fw={600} draggable={false}>
          {name}
        </Anchor>
        {value !== null && currency !== null && <Text size="sm">{format.money(value, currency)}</Text>}
        {who.length > 0 && <Text size="xs">{who.join(' · ')}</Text>}
        {about.length > 0 && (
          <Text size="xs" c="dimmed">
            {about.join(' · ')}
          </Text>
        )}
      </div>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            className={classes.handle ?? ''}
            aria-label={t('deals.board.move', { deal: name })}
            aria-describedby="deal-keys"
            aria-pressed={isHeld}
            data-part="handle"
            {...picked.handleEvents(deal)}
          >
            <IconGripVertical size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label aria-hidden>{t('deals.board.moveTo')}</Menu.Label>
          {stages.map((stage) => (
            <Menu.Item
              key={stage.id}
              disabled={stage.id === deal.stage.id}
              onClick={() => picked.putIn(deal, stage.id)}
            >
              {stage.name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}
