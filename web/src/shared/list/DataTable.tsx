import { Table, type TableProps, type TableTdProps, UnstyledButton } from '@mantine/core';
import type { Key, ReactNode } from 'react';
import classes from './DataTable.module.css';

/** One column. */
export type Column<R> = {
  /** No other column has it. */
  key: string;
  title: ReactNode;
  cell: (row: R) => ReactNode;
  /** Stands at the end, as numbers do. */
  isAtEnd?: boolean;
  /** Stays on one line. */
  isOneLine?: boolean;
  width?: number;
  /** What else is to be said of its cells. */
  td?: TableTdProps | ((row: R) => TableTdProps);
};

type FrameProps = TableProps & {
  /** Below that it is scrolled. Pixels. */
  minWidth: number;
  /** Whether the keyboard reaches it to scroll it, where nothing in it can be reached. */
  isReached?: boolean;
};

/** The look that all tables have. */
export function TableFrame({ minWidth, isReached = false, ...table }: FrameProps) {
  return (
    <Table.ScrollContainer minWidth={minWidth} type="native" {...(isReached ? { tabIndex: 0 } : {})}>
      <Table verticalSpacing={4} fz="sm" {...table} />
    </Table.ScrollContainer>
  );
}

type Props<R> = FrameProps & {
  columns: readonly Column<R>[];
  rows: readonly R[];
  rowKey: (row: R) => Key;
  /** Opens a row by a press anywhere on it, by the keyboard at its first cell; null: they are only looked at. */
  onOpen?: ((row: R) => void) | null;
  /** Whether what is opened is a dialog. */
  opensDialog?: boolean;
};

/** Rows of one kind, each with the same columns. */
export function DataTable<R>({ columns, rows, rowKey, onOpen = null, opensDialog = true, ...frame }: Props<R>) {
  const cellOf = ({ cell }: Column<R>, row: R, isFirst: boolean) =>
    onOpen === null || !isFirst ? (
      cell(row)
    ) : (
      <UnstyledButton fz="sm" className={classes.open ?? ''} {...(opensDialog ? { 'aria-haspopup': 'dialog' } : {})}>
        {cell(row)}
      </UnstyledButton>
    );
  return (
    <TableFrame highlightOnHover={onOpen !== null} {...frame}>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ key, title, isAtEnd, width }) => (
            <Table.Th key={key} ta={isAtEnd ? 'end' : undefined} w={width}>
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr
            key={rowKey(row)}
            {...(onOpen === null ? {} : { className: classes.row ?? '', onClick: () => onOpen(row) })}
          >
            {columns.map((column, index) => (
              <Table.Td
                key={column.key}
                ta={column.isAtEnd ? 'end' : undefined}
                className={column.isOneLine ? (classes.nowrap ?? '') : ''}
                {...(typeof column.td === 'function' ? column.td(row) : column.td)}
              >
                {cellOf(column, row, index === 0)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </TableFrame>
  );
}
