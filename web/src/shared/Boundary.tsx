import { Button, Paper, Text } from '@mantine/core';
import { t } from 'i18next';
import { Component, type ReactNode } from 'react';

type Props = {
  name: string;
  /** Whether only loading the page anew can help, as where a file of the page did not come. */
  isWholePage?: boolean;
  children: ReactNode;
};

/** Where a part of the page fails, the rest stays: nobody loses a call because a record is odd. */
export class Boundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    const { name, isWholePage = false } = this.props;
    const tryAgain = () => (isWholePage ? window.location.reload() : this.setState({ hasFailed: false }));
    return (
      <Paper component="section" withBorder p="sm" aria-label={name}>
        <Text size="sm">{t('shared.boundary.failed', { name })}</Text>
        <Button size="compact-xs" variant="default" mt="xs" onClick={tryAgain}>
          {t(isWholePage ? 'shared.boundary.reload' : 'shared.boundary.again')}
        </Button>
      </Paper>
    );
  }
}
