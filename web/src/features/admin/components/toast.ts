import { notifications } from '@mantine/notifications';

/** Says that something worked. */
export function toast(message: string): void {
  notifications.show({ message, color: 'teal', withBorder: true });
}
