//! Where a result comes from: code version, machine, command. The manifest.
