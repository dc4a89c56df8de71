//! The page as a folder of static files: its own files, a document for every
//! view that needs no server, and the program as WebAssembly.
//!
//! Every address in it is relative, so the folder can be served from anywhere.

use std::fs;
use std::io;
use std::path::Path;

/// What a document may load; WebAssembly must be allowed to be compiled.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; \
    worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";

/// The views that need no server, such as `play`, from `views/index.js`.
pub fn views(index: &str) -> Vec<String> {
    let lines = index.lines().filter(|line| !line.contains("server: true"));
    let paths = lines.filter_map(|line| line.split("path: \"/").nth(1));
    let names = paths.filter_map(|rest| rest.split('"').next());
    names.map(str::to_owned).collect()
}

/// The document of a view: `up` leads from its folder to the root, as `../`.
pub fn document(page: &str, up: &str) -> String {
    let policy =
        format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<title>");
    page.replace("<html ", "<html data-answers=\"here\" ")
        .replacen("<title>", &policy, 1)
        .replace("\"/static/", &format!("\"{up}static/"))
        .replace("href=\"/play\"", &format!("href=\"{up}play/\""))
}

/// Writes the files of the page and its documents; `page` is `crates/web/static`.
pub fn write(page: &Path, out: &Path) -> io::Result<()> {
    copy(page, &out.join("static"))?;
    let index = fs::read_to_string(page.join("index.html"))?;
    fs::remove_file(out.join("static/index.html"))?;
    fs::write(out.join("index.html"), document(&index, ""))?;
    for view in views(&fs::read_to_string(page.join("views/index.js"))?) {
        let folder = out.join(view);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("index.html"), document(&index, "../"))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &target)?,
            false => drop(fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/static");

    #[test]
    fn views_that_need_a_server_are_left_out() {
        let index = fs::read_to_string(Path::new(PAGE).join("views/index.js")).unwrap();
        assert_eq!(views(&index), ["play", "watch", "model"]);
    }

    #[test]
    fn every_address_is_relative_and_the_policy_strict() {
        let page = fs::read_to_string(Path::new(PAGE).join("index.html")).unwrap();
        let made = document(&page, "../");
        assert!(!made.contains("=\"/"), "{made}");
        assert!(made.contains("src=\"../static/app.js\""), "{made}");
        assert!(made.contains("data-answers=\"here\""), "{made}");
        let policy = made.split("Content-Security-Policy").nth(1).unwrap();
        let policy = policy.split('>').next().unwrap();
        assert!(policy.contains("default-src 'none'"), "{policy}");
        assert!(!policy.contains("'unsafe"), "{policy}");
    }
}
