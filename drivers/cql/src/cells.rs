//! Values as bytes: their types are the business of who calls.

use crate::abi::Cell;
use scylla::deserialize::row::ColumnIterator;
use scylla::response::query_result::QueryRowsResult;
use scylla::serialize::row::{RowSerializationContext, SerializeRow};
use scylla::serialize::writers::RowWriter;
use scylla::serialize::SerializationError;
use std::fmt;

/// A cell that is not there: the same numbers as in the header.
pub const NULL: i32 = -1;
pub const UNSET: i32 = -2;

/// The values of one statement, copied from C: all bytes in one buffer.
pub struct Values {
    bytes: Vec<u8>,
    lengths: Vec<i32>,
}

#[derive(Debug)]
struct WrongValues(String);

impl fmt::Display for WrongValues {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for WrongValues {}

fn wrong(message: String) -> SerializationError {
    SerializationError::new(WrongValues(message))
}

impl Values {
    pub fn with_capacity(cells: usize) -> Values {
        Values { bytes: Vec::new(), lengths: Vec::with_capacity(cells) }
    }

    /// `bytes` is empty for what is not there.
    pub fn push(&mut self, length: i32, bytes: &[u8]) {
        self.lengths.push(length);
        self.bytes.extend_from_slice(bytes);
    }
}

impl SerializeRow for Values {
    fn serialize(
        &self,
        context: &RowSerializationContext<'_>,
        writer: &mut RowWriter,
    ) -> Result<(), SerializationError> {
        let markers = context.columns().len();
        if markers != self.lengths.len() {
            return Err(wrong(format!("{} values for {markers} markers", self.lengths.len())));
        }
        let mut rest = self.bytes.as_slice();
        for &length in &self.lengths {
            let cell = writer.make_cell_writer();
            match usize::try_from(length) {
                Ok(length) => {
                    let (value, behind) = rest.split_at_checked(length).ok_or_else(|| wrong("lengths lie".into()))?;
                    cell.set_value(value).map_err(SerializationError::new)?;
                    rest = behind;
                }
                Err(_) if length == UNSET => {
                    cell.set_unset();
                }
                Err(_) => {
                    cell.set_null();
                }
            }
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }
}

/// The rows of an answer. The cells point into the frame, which stays where it is as long as this lives.
pub struct Rows {
    cells: Vec<Cell>,
    rows: usize,
    columns: usize,
    _frame: QueryRowsResult,
}

// SAFETY: the cells point into `_frame`, which is moved along with them and never changed.
unsafe impl Send for Rows {}

impl Rows {
    /// Fails on a frame that is not what its description says.
    pub fn new(frame: QueryRowsResult) -> Result<Rows, String> {
        let columns = frame.column_specs().len();
        let rows = frame.rows_num();
        let mut cells = Vec::with_capacity(rows.saturating_mul(columns));
        for row in frame.rows::<ColumnIterator>().map_err(|error| error.to_string())? {
            for column in row.map_err(|error| error.to_string())? {
                let slice = column.map_err(|error| error.to_string())?.slice.map(|slice| slice.as_slice());
                cells.push(Cell {
                    data: slice.map_or(std::ptr::null(), <[u8]>::as_ptr),
                    length: slice
                        .map_or(Ok(NULL), |bytes| i32::try_from(bytes.len()))
                        .map_err(|error| error.to_string())?,
                });
            }
        }
        Ok(Rows { cells, rows, columns, _frame: frame })
    }

    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn columns(&self) -> usize {
        self.columns
    }
}
