import { ActionIcon, Popover, type PopoverDropdownProps, type PopoverProps, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useWorkplace } from './workplaceContext.ts';

type Props = {
  title: string;
  /** Of the button, where it is another one than the title. */
  label?: string;
  icon: Icon;
  width?: NonNullable<PopoverProps['width']>;
  /** Of what opens. */
  dropdown?: Omit<PopoverDropdownProps, 'children'> & { 'data-autofocus'?: boolean };
  /** Drawn while it is open, and as it goes. */
  children: (isOpen: boolean) => ReactNode;
};

/** One of the tools in the head of the softphone: a button that opens something small, out of the way of who calls. */
export function ToolPopover({ title, label = title, icon: Mark, width = 'max-content', dropdown, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { caller } = useWorkplace().view;
  const [known, setKnown] = useState(caller);
  if (caller !== known) {
    setKnown(caller);
    if (caller !== null) setOpen(false);
  }
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus opened={isOpen} onChange={setOpen} width={width}>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} onClick={() => setOpen(!isOpen)}>
          <Mark size={18} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown {...dropdown} aria-label={label}>
        <Title order={2} size="h3" mb="xs">
          {title}
        </Title>
        {children(isOpen)}
      </Popover.Dropdown>
    </Popover>
  );
}
