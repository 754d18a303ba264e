import { Button, Paper, Text } from '@mantine/core';
import { Component, type ReactNode } from 'react';

type Props = { name: string; children: ReactNode };

/** Where a part of the page fails, the rest stays: nobody loses a call because a record is odd. */
export class Boundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Paper component="section" withBorder p="sm" aria-label={this.props.name}>
        <Text size="sm">{this.props.name}: this could not be shown.</Text>
        <Button size="compact-xs" variant="default" mt="xs" onClick={() => this.setState({ hasFailed: false })}>
          Try again
        </Button>
      </Paper>
    );
  }
}
