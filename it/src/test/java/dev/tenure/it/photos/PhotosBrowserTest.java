package dev.tenure.it.photos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.WebDriverWait;

/// The page in a real browser: real photographs go in, their thumbnails come up by themselves.
class PhotosBrowserTest {
    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    @TempDir
    Path folder;

    @Test
    void page_realPhotographs_showsTheirThumbnails() throws Exception {
        try (var photos = PhotosProcess.start(folder.resolve("data"));
                var client = new PhotosClient(photos);
                var page = Page.open(photos, folder.resolve("browser"))) {
            page.await("#empty:not([hidden])");
            page.choose(photograph("landscape_1"), photograph("landscape_6"), photograph("portrait_8"));
            page.awaitCount(".photo[data-state=ready] img", 3);
            page.awaitPictures();
            assertThat(page.pictureSize("landscape_6.jpg")).isEqualTo("320x213");
            assertThat(page.pictureSize("portrait_8.jpg")).isEqualTo("213x320");
            assertThat(page.text("#count")).isEqualTo("3");

            page.choose(Files.writeString(folder.resolve("notes.txt"), "no picture"));
            page.await(".upload.failed");
            assertThat(page.text(".upload.failed .upload-state")).contains("neither a JPEG nor a PNG");
            page.screenshot("page-ready.png");

            client.add("elsewhere.png", Pictures.png(640, 480));
            page.awaitCount(".photo[data-state=ready] img", 4);

            page.click(".photo-delete[aria-label='Delete elsewhere.png']");
            page.click(".photo-delete.sure");
            page.awaitCount(".photo", 3);
            assertThat(client.list()).hasSize(3);
        }
    }

    @Test
    void page_serverRestarts_saysSoAndReconnects() throws Exception {
        var data = folder.resolve("data");
        try (var photos = PhotosProcess.start(data);
                var page = Page.open(photos, folder.resolve("browser"))) {
            page.await("#empty:not([hidden])");
            photos.terminate();
            assertThat(photos.exitCode()).as(photos.errors()).isZero();
            page.await("#banner:not([hidden])");
            assertThat(page.text("#banner")).contains("restarting");
            page.screenshot("page-draining.png");
            try (var again = PhotosProcess.start(data, "--port", "" + photos.port());
                    var client = new PhotosClient(again)) {
                client.add("later.png", Pictures.png(640, 480));
                page.awaitCount(".photo[data-state=ready] img", 1);
                page.await("#banner[hidden]");
            }
        }
    }

    private static Path photograph(String name) {
        return Path.of("..", "examples", "photos", "src", "test", "resources", "photos", name + ".jpg");
    }

    /// The page, and the browser that shows it.
    private static final class Page implements AutoCloseable {
        private final ChromeDriver browser;
        private final WebDriverWait patience;

        private Page(ChromeDriver browser) {
            this.browser = browser;
            this.patience = new WebDriverWait(browser, Duration.ofSeconds(30));
        }

        static Page open(PhotosProcess photos, Path profile) {
            assertThat(Files.isExecutable(BROWSER) && Files.isExecutable(DRIVER))
                    .as("this test needs %s and %s: install chromium and chromium-driver", BROWSER, DRIVER)
                    .isTrue();
            var options = new ChromeOptions();
            options.setBinary(BROWSER.toString());
            options.addArguments("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run");
            options.addArguments("--disable-background-networking", "--disable-component-update", "--disable-sync");
            options.addArguments("--disable-dev-shm-usage", "--window-size=1200,900", "--user-data-dir=" + profile);
            var service = new ChromeDriverService.Builder()
                    .usingDriverExecutable(DRIVER.toFile())
                    .usingAnyFreePort()
                    .build();
            var page = new Page(new ChromeDriver(service, options));
            page.browser.get(photos.uri("/").toString());
            return page;
        }

        void await(String css) {
            patience.until(_ -> !browser.findElements(By.cssSelector(css)).isEmpty());
        }

        void awaitCount(String css, int count) {
            patience.until(_ -> browser.findElements(By.cssSelector(css)).size() == count);
        }

        void awaitPictures() {
            patience.until(_ -> Boolean.TRUE.equals(browser.executeScript("""
                    return [...document.querySelectorAll('.photo-image')]
                        .every(image => image.complete && image.naturalWidth > 0)""")));
        }

        void choose(Path... files) {
            var names = List.of(files).stream()
                    .map(file -> file.toAbsolutePath().normalize().toString())
                    .toList();
            browser.findElement(By.id("files")).sendKeys(String.join("\n", names));
        }

        void click(String css) {
            browser.executeScript("arguments[0].click()", find(css));
        }

        String text(String css) {
            return find(css).getText();
        }

        /// The size of the picture above that caption, as the browser decoded it.
        String pictureSize(String name) {
            return String.valueOf(browser.executeScript("""
                    const card = [...document.querySelectorAll('.photo')]
                        .find(c => c.querySelector('.photo-name').textContent === arguments[0]);
                    const image = card.querySelector('img');
                    return image.naturalWidth + 'x' + image.naturalHeight;""", name));
        }

        private WebElement find(String css) {
            return browser.findElement(By.cssSelector(css));
        }

        void screenshot(String name) throws Exception {
            File taken = browser.getScreenshotAs(OutputType.FILE);
            Files.createDirectories(SCREENSHOTS);
            Files.move(taken.toPath(), SCREENSHOTS.resolve(name), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }

        @Override
        public void close() {
            browser.quit();
        }
    }
}
