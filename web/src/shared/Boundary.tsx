import { Button, Paper, Text } from '@mantine/core';
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
        <Text size="sm">{name}: this could not be shown.</Text>
        <Button size="compact-xs" variant="default" mt="xs" onClick={tryAgain}>
          {isWholePage ? 'Reload the page' : 'Try again'}
        </Button>
      </Paper>
    );
  }
}
