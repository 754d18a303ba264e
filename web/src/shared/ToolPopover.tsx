import { ActionIcon, Popover, type PopoverDropdownProps, type PopoverProps, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';

type Props = {
  title: string;
  icon: Icon;
  width?: NonNullable<PopoverProps['width']>;
  /** Of what opens. */
  dropdown?: Omit<PopoverDropdownProps, 'children'> & { 'data-autofocus'?: boolean };
  /** Drawn while it is open, and as it goes. */
  children: (isOpen: boolean) => ReactNode;
};

/** One of the tools in the head of a page: a button that opens something small. */
export function ToolPopover({ title, icon: Mark, width = 'max-content', dropdown, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus opened={isOpen} onChange={setOpen} width={width}>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={title} title={title} onClick={() => setOpen(!isOpen)}>
          <Mark size={18} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown {...dropdown} aria-label={title}>
        <Title order={2} size="h3" mb="xs">
          {title}
        </Title>
        {children(isOpen)}
      </Popover.Dropdown>
    </Popover>
  );
}
