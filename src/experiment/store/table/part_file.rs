//! The file of a part, which this program alone reads, and soon: quick to write. It has the form of
//! Parquet, without the statistics that no one asks for and without dictionaries: to make one of a
//! text takes longer than to compress the text itself. Its compression is decided here; the tables
//! of complete runs are written in `table.rs`.

use std::io::Write;

use polars::prelude::*;
use polars_parquet::parquet::error::ParquetError;
use polars_parquet::parquet::metadata::KeyValue;
use polars_parquet::write::{
    CompressedPage, CompressionOptions, Compressor, DynIter, DynStreamingIterator, Encoding,
    FallibleStreamingIterator as _, FileWriter, Page, StatisticsOptions, Version, WriteOptions,
    ZstdLevel, array_to_columns,
};

use super::PAGE;

/// A file of a part that is being written.
pub struct PartFile<W: Write> {
    file: FileWriter<W>,
    options: WriteOptions,
}

impl<W: Write> PartFile<W> {
    /// A file with these columns, without rows.
    pub fn new(header: &DataFrame, file: W) -> PolarsResult<Self> {
        let options = WriteOptions {
            statistics: StatisticsOptions {
                null_count: true,
                ..StatisticsOptions::empty()
            },
            version: Version::V1,
            compression: CompressionOptions::Zstd(Some(ZstdLevel::try_new(1)?)),
            data_page_size: Some(PAGE),
        };
        let fields = header.schema().iter_fields();
        let schema = fields.map(|field| {
            let name = field.name().clone();
            (name, field.to_arrow(CompatLevel::newest()))
        });
        let file = FileWriter::try_new(file, schema.collect(), options)?;
        Ok(Self { file, options })
    }

    /// Adds a row group, whose columns are in one piece.
    pub fn write(&mut self, rows: &DataFrame) -> PolarsResult<()> {
        for batch in rows.iter_chunks(CompatLevel::newest(), false) {
            let types = self.file.parquet_schema().fields().to_vec();
            let mut pages = Vec::with_capacity(types.len());
            for (array, kind) in batch.columns().iter().zip(types) {
                for encoded in array_to_columns(array, kind, self.options, &[Encoding::Plain])? {
                    pages.push(Ok(self.compressed(encoded)));
                }
            }
            let rows = batch.len() as u64;
            self.file.write(rows, DynIter::new(pages.into_iter()))?;
        }
        Ok(())
    }

    fn compressed(
        &self,
        pages: DynIter<'static, PolarsResult<Page>>,
    ) -> DynStreamingIterator<'static, CompressedPage, PolarsError> {
        let pages = pages
            .map(|page| page.map_err(|error| ParquetError::FeatureNotSupported(error.to_string())));
        let compressor = Compressor::new_from_vec(pages, self.options.compression, Vec::new());
        DynStreamingIterator::new(compressor.map_err(PolarsError::from))
    }

    /// Ends the file, with these entries in its metadata.
    pub fn finish(mut self, entries: Vec<KeyValue>) -> PolarsResult<()> {
        self.file.end(Some(entries)).map(drop)
    }
}
