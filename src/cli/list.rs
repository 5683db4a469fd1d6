/// stub
#[derive(Debug, clap::Args)]
pub struct Args {}
pub fn run(_args: &Args) -> anyhow::Result<std::process::ExitCode> {
    Ok(std::process::ExitCode::SUCCESS)
}
